// For stores, which need no sandbox: it would be loaded into each of their threads.
export { importKey } from './import-key.ts'
export { publishedRecord, versionBytes } from './transformation-store.ts'
