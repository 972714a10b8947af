/** What a page calls the archive that it makes of the files that a person chose: a name that they do not know. */
export const PACKED_ARCHIVE_NAME = 'documents.zip';
