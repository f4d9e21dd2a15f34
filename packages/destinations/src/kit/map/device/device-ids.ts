import type { JsonObject } from '@sluice/core'
import { type KeyPath, toKeyPath, valueAt } from '../../rules/key-path.ts'
import type { Rule } from '../../rules/rule.ts'
import { to } from '../../rules/to.ts'
import { advertisingId } from './advertising-id.ts'
import { isApplePlatform } from './apple-platform.ts'

/** Names that a product gives the ids of a device. Absent names are not set. */
export interface DeviceIdNames {
  readonly apple: { readonly advertisingId: string; readonly id: string }
  readonly android: { readonly advertisingId: string; readonly id?: string }
}

/**
 * Returns rules that set the advertising id and the id of a device under the names of its platform. The advertising id of a user who
 * limits tracking is left out: see `advertisingId`.
 *
 * @param platform path of the platform in the event: `context.os.name` or `context.device.type`.
 */
export function deviceIds(platform: string, { apple, android }: DeviceIdNames): readonly Rule[] {
  const path = toKeyPath(platform)
  const isApple = (event: JsonObject) => isApplePlatform(valueAt(event, path))
  const isAndroid = (event: JsonObject) => isAndroidAt(event, path)
  return [
    to(apple.advertisingId).compute(advertisingId).when(isApple),
    to(apple.id).from('context.device.id').when(isApple),
    to(android.advertisingId).compute(advertisingId).when(isAndroid),
    ...(android.id === undefined ? [] : [to(android.id).from('context.device.id').when(isAndroid)]),
  ]
}

function isAndroidAt(event: JsonObject, path: KeyPath): boolean {
  const name = valueAt(event, path)
  return typeof name === 'string' && name.toLowerCase() === 'android'
}
