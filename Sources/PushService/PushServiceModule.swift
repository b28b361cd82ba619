// Placeholder until the first part of the service is merged.
