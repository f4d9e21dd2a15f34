import type { JsonValue } from '@sluice/core'

const platforms: ReadonlySet<string> = new Set(['ios', 'ipados', 'tvos', 'watchos'])

/**
 * Returns whether the name of a platform, or the type of a device, is one of Apple's mobile ones, in any case.
 * @example
 * ```ts
 * import { isApplePlatform } from '@sluice/destinations/kit'
 *
 * console.log(isApplePlatform('iPadOS'), isApplePlatform('Android')) // true false
 * ```
 */
export function isApplePlatform(name: JsonValue | undefined): boolean {
  return typeof name === 'string' && platforms.has(name.toLowerCase())
}
