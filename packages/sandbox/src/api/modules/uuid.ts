import { type Clock, type JsonValue, type Random, uuidOf, uuidV4, uuidV7 } from '@sluice/core'
import { bytesOf } from '@sluice/core/bytes'
import { hashBytes } from '@sluice/core/hash'
import { uuidModule } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'
import { forTexts, textArgument } from '../text-arguments.ts'

/** Most identifiers in one call: more than a batch needs. */
const countMax = 10_000

/** Name spaces of RFC 9562, appendix. Any other UUID is also allowed. */
const namespaces: Readonly<Record<string, string>> = {
  dns: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  url: '6ba7b811-9dad-11d1-80b4-00c04fd430c8',
  oid: '6ba7b812-9dad-11d1-80b4-00c04fd430c8',
  x500: '6ba7b814-9dad-11d1-80b4-00c04fd430c8',
}

/**
 * `@sluice/uuid`: creates versions 4 and 7 from the randomness and clock of the host, version 5 from a name. RFC 9562.
 */
export function uuidPart(clock: Clock, random: Random): GuestApiPart {
  return {
    modules: { '@sluice/uuid': uuidModule },
    syncCalls: {
      uuidV4: ([count]) => repeated('v4', count, () => uuidV4(random)),
      uuidV7: ([count]) => repeated('v7', count, () => uuidV7(clock, random)),
      uuidV5: ([names, namespace]) => {
        const space = namespaceBytes(textArgument('v5', namespace))
        return forTexts('v5', names, (name) => uuidV5(space, name))
      },
    },
  }
}

function repeated(what: string, count: JsonValue | undefined, make: () => string): JsonValue {
  if (count === undefined || count === null) return make()
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > countMax)
    throw new RangeError(`${what}: the count must be a whole number from 0 to ${countMax}`)
  return Array.from({ length: count }, make)
}

function namespaceBytes(namespace: string): Uint8Array {
  const text = Object.hasOwn(namespaces, namespace) ? (namespaces[namespace] ?? '') : namespace
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new TypeError(`v5: the name space must be ${Object.keys(namespaces).join(', ')} or a UUID`)
  return bytesOf(text.replaceAll('-', ''), 'hex')
}

function uuidV5(namespace: Uint8Array, name: string): string {
  return uuidOf(hashBytes('sha1', Uint8Array.of(...namespace, ...bytesOf(name))), 5)
}
