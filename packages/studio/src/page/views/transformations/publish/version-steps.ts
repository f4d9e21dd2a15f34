import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { type History, totalOf } from '../../destinations/health/history.ts'
import type { Version } from '../transformation.ts'

/** One step in the history of the code: a publication, or a version that never was live. */
export interface VersionStep {
  readonly key: string
  readonly version: Version
  /** From 1, in the order in which versions were saved. */
  readonly number: number
  readonly at: string
  /** Who published it, and how; absent for a version that was only saved. */
  readonly published?: { readonly who: string; readonly isBack: boolean }
  /** When the next one took its place; absent for the one that is live, and for those that never were. */
  readonly until?: string
}

interface Change {
  readonly id: number
  readonly at: string
  readonly who: string
  readonly kind: string
  readonly text: string
  readonly ref?: string
}

const versionsMax = 50

/** Reads the last versions and who published them, newest first. */
export async function readSteps(id: string, signal: AbortSignal): Promise<readonly VersionStep[]> {
  const versionsPath = `/transformations/${id}/versions?orderBy=DESC&count=${versionsMax}`
  const query = new URLSearchParams({ subjectKind: 'transformation', subject: id, limit: '200' })
  const [{ TransformationVersions: versions }, { data: changes }] = await Promise.all([
    request<{ readonly TransformationVersions: readonly Version[] }>(versionsPath, { signal }),
    allows('operate')
      ? request<{ readonly data: readonly Change[] }>(`/v2/changes?${query}`, { signal })
      : Promise.resolve({ data: [] }),
  ])
  return versionSteps(versions, changes)
}

/** @param versions newest first. @param changes of the transformation, newest first. */
function versionSteps(versions: readonly Version[], changes: readonly Change[]): readonly VersionStep[] {
  const numberOf = numbersOf(versions, changes)
  const publications = changes.filter(({ kind, ref }) => (kind === 'published' || kind === 'rolledBack') && ref)
  const published = publications.flatMap(({ id, at, who, kind, ref }, n): readonly VersionStep[] => {
    const version = versions.find(({ versionId }) => versionId === ref)
    if (version === undefined) return []
    const until = publications[n - 1]?.at
    return [
      {
        key: `change ${id}`,
        version,
        number: numberOf(version),
        at,
        published: { who, isBack: kind === 'rolledBack' },
        ...(until === undefined ? {} : { until }),
      },
    ]
  })
  const wasLive = new Set(published.map(({ version }) => version.versionId))
  const saved = versions
    .filter(({ versionId }) => !wasLive.has(versionId))
    .map((version) => ({ key: version.versionId, version, number: numberOf(version), at: version.createdAt }))
  return [...published, ...saved].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

/** Numbers as the changes call them; those that are not mentioned follow from the order. */
function numbersOf(versions: readonly Version[], changes: readonly Change[]): (version: Version) => number {
  const known = versions.flatMap(({ versionId }, n) => {
    const change = changes.find(({ ref }) => ref === versionId)
    const [, number] = /version (\d+) of/.exec(change?.text ?? '') ?? []
    return number === undefined ? [] : [Number(number) + n]
  })
  const newest = known[0] ?? versions.length
  return (version) => newest - versions.indexOf(version)
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
