import { bytesOf, textOf } from '#bytes'
import { hmac } from '#inlined/noble-hmac'
import { md5, sha1 } from '#inlined/noble-legacy'
import { sha256, sha512 } from '#inlined/noble-sha2'
import type { HashPort } from './hash-port.ts'

const functions = { sha256, sha512, sha1, md5 }

const asBytes = (data: string | Uint8Array): Uint8Array => (typeof data === 'string' ? bytesOf(data) : data)

export const hashBytes: HashPort['hashBytes'] = (name, data) => functions[name](asBytes(data))

export const hashText: HashPort['hashText'] = (name, data, output = 'hex') => textOf(hashBytes(name, data), output)

export const hmacText: HashPort['hmacText'] = (name, key, data, output = 'hex') =>
  textOf(hmac(functions[name], asBytes(key), asBytes(data)), output)
