// MockCloud
