import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { sourcePlatform } from '@sluice/destinations/gates'

/**
 * Returns whether SDKs of a kind of source send to a destination themselves (device mode), so that RudderStack's server
 * sends nothing of it: `connectionMode`, or the older `useNativeSDK`, for each kind of source or for all. Where the kind
 * is not known, any device mode counts, and so does a mode that is not known.
 */
export function isDeviceMode(settings: JsonObject, sourceType: string | undefined): boolean {
  const platform = sourcePlatform(sourceType)
  const applies = (key: string | undefined): boolean => {
    const other = sourcePlatform(key)
    return platform === undefined || other === undefined || other === platform
  }
  return modesOf(settings).some(({ key, isDevice }) => isDevice && applies(key))
}

interface Mode {
  /** Kind of source; undefined for all. */
  readonly key: string | undefined
  readonly isDevice: boolean
}

function modesOf({ connectionMode, useNativeSDK }: JsonObject): readonly Mode[] {
  const modes = byKey(connectionMode)
  // With hybrid, the server sends what SDKs do not.
  if (modes.length > 0)
    return modes.map(([key, mode]) => ({ key, isDevice: !['cloud', 'hybrid', '', null].includes(mode as string) }))
  return byKey(useNativeSDK).map(([key, isNative]) => ({ key, isDevice: isNative === true || isNative === 'true' }))
}

function byKey(setting: JsonValue | undefined): readonly (readonly [string | undefined, JsonValue | undefined])[] {
  if (isJsonObject(setting)) return Object.entries(setting)
  return setting === undefined ? [] : [[undefined, setting]]
}
