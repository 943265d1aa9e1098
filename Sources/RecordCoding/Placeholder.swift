// The first file of RecordCoding; replaced as the module grows.
