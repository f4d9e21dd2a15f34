export { hashBytes, hashText, hmacText } from '#hash'
export type { HashName, HashOutput } from './hash-port.ts'
