import { createHmac, hash } from 'node:crypto'
import type { HashPort } from './hash-port.ts'

export const hashBytes: HashPort['hashBytes'] = (name, data) => hash(name, data, 'buffer')

export const hashText: HashPort['hashText'] = (name, data, output = 'hex') => hash(name, data, output)

export const hmacText: HashPort['hmacText'] = (name, key, data, output = 'hex') =>
  createHmac(name, key).update(data).digest(output)
