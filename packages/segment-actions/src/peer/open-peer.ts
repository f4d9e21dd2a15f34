import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isJsonObject } from '@sluice/core'
import type { FoundPeer } from './find-peer.ts'
import { loadSegmentCore } from './load-segment-core.ts'
import type { SegmentCore } from './segment-core.ts'
import type { SegmentDefinition } from './segment-definition.ts'

/** The definitions of an installed `@segment/action-destinations`. */
export interface SegmentPeer {
  readonly version: string
  /** Names of the definitions in alphabetical order: their folders in the package, such as `amplitude`. */
  readonly names: readonly string[]
  /**
   * Loads one definition, which takes some milliseconds and runs the code of its modules.
   *
   * @throws Error when its module cannot be loaded, or exports no definition.
   */
  load(name: string): SegmentDefinition
  /** The main file of a definition. */
  fileOf(name: string): string
  readonly core: SegmentCore
}

/** @throws Error when the folder is not a package with definitions. */
export function openPeer({ folder, version }: FoundPeer): SegmentPeer {
  // The real path: packages it depends on lie beside it there.
  const home = realpathSync(folder)
  const destinations = join(home, 'dist', 'destinations')
  if (!existsSync(destinations))
    throw new Error(`${folder} has no dist/destinations; install a release of @segment/action-destinations from npm.`)
  const require = createRequire(join(home, 'package.json'))
  const fileOf = (name: string): string => join(destinations, name, 'index.js')
  const names = readdirSync(destinations)
    .filter((name) => existsSync(fileOf(name)))
    .sort()
  let core: SegmentCore | undefined
  return {
    version,
    names,
    fileOf,
    get core() {
      core ??= loadSegmentCore(require)
      return core
    },
    load(name) {
      const exported: unknown = require(fileOf(name))
      const definition = isJsonObject(exported) && 'default' in exported ? exported['default'] : exported
      if (!isJsonObject(definition) || !isJsonObject(definition['actions']))
        throw new Error(`${fileOf(name)} exports no definition with actions.`)
      return definition as unknown as SegmentDefinition
    },
  }
}
