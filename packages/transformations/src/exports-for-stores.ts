// Exports for stores. They need no sandbox, which would be loaded into each of their threads.
export { importKey } from './import-key.ts'
export { publishedRecord, versionBytes } from './transformation-store.ts'
