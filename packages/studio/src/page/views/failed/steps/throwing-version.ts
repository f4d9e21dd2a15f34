import { request } from '../../../api/request.ts'
import type { DeadLetter } from '../dead-letter.ts'

/** A version of a transformation, with its place in the order of creation. */
export interface CodeVersion {
  readonly versionId: string
  readonly number: number
  readonly code: string
  readonly publishedAt?: string
  readonly retiredAt?: string
}

/**
 * Returns the version of a transformation for which an event failed: the one that its journey names, else the one that was
 * live then; undefined when neither is known.
 */
export async function readThrowingVersion(
  id: string,
  letter: DeadLetter,
  signal: AbortSignal,
): Promise<CodeVersion | undefined> {
  const [{ TransformationVersions: versions }, versionId] = await Promise.all([
    request<{ TransformationVersions: readonly Omit<CodeVersion, 'number'>[] }>(
      `/transformations/${encodeURIComponent(id)}/versions`,
      { signal },
    ),
    versionOf(letter, signal),
  ])
  const numbered = versions.map((version, n) => ({ ...version, number: n + 1 }))
  return (
    numbered.find((version) => version.versionId === versionId) ??
    numbered.find(
      ({ publishedAt, retiredAt }) =>
        publishedAt !== undefined && publishedAt <= letter.at && (retiredAt === undefined || letter.at <= retiredAt),
    )
  )
}

interface Trace {
  readonly destinations: readonly { readonly destinationId: string; readonly versionId?: string }[]
}

/** Returns the version that the journey of an event names; undefined when its receipts are gone. */
async function versionOf({ messageId, destinationId }: DeadLetter, signal: AbortSignal): Promise<string | undefined> {
  const path = `/v1/events/${encodeURIComponent(messageId)}`
  const trace = await request<Trace>(path, { signal }).catch(() => undefined)
  return trace?.destinations.find((each) => each.destinationId === destinationId)?.versionId
}
