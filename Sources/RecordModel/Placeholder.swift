// The first file of RecordModel; replaced as the module grows.
