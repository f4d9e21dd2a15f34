import type { JsonObject, JsonValue } from '@sluice/core'
import { type KeyPathText, toKeyPath, valueAt } from './key-path.ts'

/**
 * Creates a function that returns the first value at several paths that satisfies a predicate; by default the first
 * truthy one. For code of a mapping outside its rules. The paths are parsed once, not for each event.
 */
export function firstAt<T extends JsonValue>(
  paths: readonly KeyPathText[],
  isWanted: (value: JsonValue | undefined) => value is T,
): (source: JsonObject) => T | undefined
export function firstAt(
  paths: readonly KeyPathText[],
  isWanted?: (value: JsonValue | undefined) => boolean,
): (source: JsonObject) => JsonValue | undefined
export function firstAt(
  paths: readonly KeyPathText[],
  isWanted: (value: JsonValue | undefined) => boolean = Boolean,
): (source: JsonObject) => JsonValue | undefined {
  const keyPaths = paths.map(toKeyPath)
  return (source) => {
    for (const path of keyPaths) {
      const value = valueAt(source, path)
      if (isWanted(value)) return value
    }
    return undefined
  }
}
