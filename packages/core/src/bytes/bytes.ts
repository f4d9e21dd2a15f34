export { areSame, bytesOf, indexOfBytes, textOf, utf8Length } from '#bytes'
export type { BytesEncoding } from './bytes-port.ts'
