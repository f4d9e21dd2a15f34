import type { JsonObject } from '@sluice/core'
import { instrumentationError, isApplePlatform, type MappingError, valueAt } from '../../kit/index.ts'

/** Kind of a platform; games of PCs and consoles have their own parameters. */
type PlatformKind = 'android' | 'apple' | 'game'

/** A platform under the name that Singular gives it. */
interface Platform {
  readonly kind: PlatformKind
  readonly name: string
}

/** Source: Singular docs, PC and console server-to-server API. */
const gamePlatforms: ReadonlySet<string> = new Set(['pc', 'xbox', 'playstation', 'nintendo', 'metaquest'])

/** Returns the platform of an event, from the name of its operating system. */
export function platformOf(event: JsonObject): Platform | MappingError {
  const os = valueAt(event, ['context', 'os', 'name'])
  if (typeof os !== 'string' || os === '') return instrumentationError('context.os.name must be the platform')
  if (isApplePlatform(os)) return { kind: 'apple', name: 'iOS' }
  const name = os.toLowerCase()
  if (name === 'android') return { kind: 'android', name: 'Android' }
  if (gamePlatforms.has(name)) return { kind: 'game', name }
  return instrumentationError('context.os.name must be Android, a mobile platform of Apple, or one of PCs and consoles')
}
