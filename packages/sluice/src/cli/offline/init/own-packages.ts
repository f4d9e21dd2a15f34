import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@sluice/core'
import { packageFolder } from '../../package-folder.ts'
import type { OwnManifest } from './completed-manifest.ts'

/**
 * Returns what a package.json asks for to get packages of ours: the version of this package, or their folders when this
 * package is in a checkout, whose version may be on no registry yet.
 * @param names without their scope.
 */
export function ownPackages(names: readonly string[], own: OwnManifest): JsonObject {
  const isLinked = isCheckout(own)
  return Object.fromEntries(
    names.map((name) => [
      name === 'sluice' ? name : `@sluice/${name}`,
      isLinked ? `file:${fileURLToPath(new URL(`../${name}`, packageFolder))}` : `^${own.version}`,
    ]),
  )
}

/** Returns the line that explains the folders to the user; undefined when there are none. */
export function checkoutNotice(own: OwnManifest): string | undefined {
  if (!isCheckout(own)) return undefined
  const packages = fileURLToPath(new URL('..', packageFolder))
  return `package.json links the packages of this checkout, ${packages}: keep it there and built, or replace file:… by versions.`
}

/** Packing replaces `workspace:` by versions. */
function isCheckout({ dependencies }: OwnManifest): boolean {
  return String(dependencies['@sluice/core']).startsWith('workspace:')
}
