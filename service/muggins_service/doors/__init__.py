"""Who may come in: credentials, scopes, certificates, and what each caller may use up."""
