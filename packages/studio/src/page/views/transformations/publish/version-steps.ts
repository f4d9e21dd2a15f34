import { type History, totalOf } from '../../destinations/health/history.ts'
import type { Version } from '../transformation.ts'

/** One step in the history of the code: a publication, or a version that never was live. */
export interface VersionStep {
  readonly key: string
  readonly version: Version
  readonly at: string
  /** Who published it, or saved it where it never was live; absent where that is not known. */
  readonly who?: string
  /** Whether it was published, went live again after a later one, or was only saved. */
  readonly kind: 'published' | 'rolledBack' | 'saved'
  /** When the next one took its place; absent for the one that is live, and for those that never were. */
  readonly until?: string
}

/** A change of a transformation, as `GET /v2/changes` shows it. */
export interface VersionChange {
  readonly id: number
  readonly at: string
  readonly who: string
  readonly kind: string
  /** Id of the version that was saved or published. */
  readonly ref?: string
}

/**
 * Returns publications and versions that never were live, the newest first.
 * @param changes of the transformation, newest first.
 */
export function versionSteps(versions: readonly Version[], changes: readonly VersionChange[]): readonly VersionStep[] {
  const publications = changes.filter(
    (change): change is VersionChange & { readonly kind: 'published' | 'rolledBack' } =>
      (change.kind === 'published' || change.kind === 'rolledBack') && change.ref !== undefined,
  )
  const published = publications.flatMap(({ id, at, who, kind, ref }, n): readonly VersionStep[] => {
    const version = versions.find(({ versionId }) => versionId === ref)
    const until = publications[n - 1]?.at
    return version === undefined
      ? []
      : [{ key: `change ${id}`, version, at, who, kind, ...(until === undefined ? {} : { until }) }]
  })
  const wasLive = new Set(published.map(({ version }) => version.versionId))
  const saved = versions
    .filter(({ versionId }) => !wasLive.has(versionId))
    .map((version): VersionStep => {
      const who = whoSaved(version, changes)
      return {
        key: version.versionId,
        version,
        at: version.createdAt,
        kind: 'saved',
        ...(who === undefined ? {} : { who }),
      }
    })
  return [...published, ...saved].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

/** The first version is saved by the call that creates the transformation. */
function whoSaved({ versionId, number }: Version, changes: readonly VersionChange[]): string | undefined {
  return changes.find(
    ({ kind, ref }) => (kind === 'saved' && ref === versionId) || (kind === 'created' && number === 1),
  )?.who
}

/** Returns how many events failed in the code while a step was live, at some destinations, within a history. */
export function failedDuring(
  { at, until }: VersionStep,
  destinationIds: ReadonlySet<string>,
  history: History,
): number | undefined {
  const { from, everyMs } = history.slots
  const [since, end] = [Date.parse(at), until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until)]
  if (end < from) return undefined
  const isLive = (slot: number): boolean => {
    const begin = from + slot * everyMs
    return begin + everyMs > since && begin < end
  }
  const series = history.series.map((each) => {
    const counts = each.counts.map((count, slot) => (isLive(slot) ? count : 0))
    return { ...each, counts, total: counts.reduce((sum, count) => sum + count, 0) }
  })
  return totalOf({ ...history, series }, (each) => isOfCode(each) && destinationIds.has(each.destinationId ?? ''))
}

/** Whether a series counts failures of user code. */
export const isOfCode = ({ kind, reason }: { readonly kind: string; readonly reason?: string }): boolean =>
  kind === 'failed' && (reason ?? '').startsWith('transform.')
