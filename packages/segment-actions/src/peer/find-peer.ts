import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Name of the package that contains Segment's definitions. */
export const peerName = '@segment/action-destinations'

/** An installed copy of `@segment/action-destinations`. */
export interface FoundPeer {
  /** Its folder, an absolute path. */
  readonly folder: string
  readonly version: string
}

/**
 * Returns the first installed copy that packages in one of these folders would get, or undefined.
 *
 * @param folders absolute paths, such as the folder of the workspace file.
 */
export function findPeer(folders: readonly string[]): FoundPeer | undefined {
  for (const folder of folders) {
    for (const place of createRequire(join(folder, 'noop.js')).resolve.paths(peerName) ?? []) {
      const manifest = join(place, peerName, 'package.json')
      if (!existsSync(manifest)) continue
      const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: string }
      return { folder: dirname(manifest), version: version ?? 'unknown' }
    }
  }
  return undefined
}
