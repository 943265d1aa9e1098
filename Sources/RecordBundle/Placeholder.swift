// The first file of RecordBundle; replaced as the module grows.
