// Filled by the module's first commit.
