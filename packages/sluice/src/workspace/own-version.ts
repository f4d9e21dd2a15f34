import { readFileSync } from 'node:fs'
import { isJsonObject } from '@sluice/core'

/** Returns the version of this package; `unknown` where its manifest cannot be read, as in the bundle of another program. */
export function ownVersion(): string {
  try {
    // Source, build and bundle of this file are all two folders below the manifest.
    const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    const { name, version } = isJsonObject(manifest) ? manifest : {}
    return name === 'sluice' && typeof version === 'string' ? version : 'unknown'
  } catch {
    return 'unknown'
  }
}
