// The first file of RecordSchema; replaced as the module grows.
