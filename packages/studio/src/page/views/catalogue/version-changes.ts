import type { CatalogueDetail } from '@sluice/http'

type Version = Pick<CatalogueDetail['versions'][number], 'schema'>

/** Returns in words what a version has that the one before did not, what it lacks, and which types differ. */
export function versionChanges({ schema }: Version, before: Version | undefined): string {
  if (before === undefined) return 'the first version'
  const added = Object.keys(schema).filter((path) => !Object.hasOwn(before.schema, path))
  const removed = Object.keys(before.schema).filter((path) => !Object.hasOwn(schema, path))
  const changed = Object.entries(schema).flatMap(([path, type]) => {
    const old = before.schema[path]
    return old === undefined || old === type ? [] : [`${path} ${old} → ${type}`]
  })
  const parts = [
    added.length > 0 && `added ${added.join(', ')}`,
    removed.length > 0 && `without ${removed.join(', ')}`,
    changed.length > 0 && `changed ${changed.join(', ')}`,
  ]
  return parts.filter(Boolean).join('; ') || 'the same keys'
}
