// Exports for stores. They need no sandbox, which would be loaded into each of their threads.
export { importKey } from './versions/import-key.ts'
export { publishedRecord, versionBytes } from './versions/transformation-store.ts'
