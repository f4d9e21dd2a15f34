import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { Pill } from '../../parts/signs/pill.tsx'
import type { Transformation, Version } from './transformation.ts'

/** Which version of a transformation is live, by its number, and whether there is newer code. */
export function LivePill({ transformation }: { readonly transformation: Transformation }) {
  const { id, publishedVersionId, versionId } = transformation
  const { value } = usePolled(
    `number of ${publishedVersionId}`,
    async (signal) =>
      publishedVersionId === null
        ? undefined
        : request<Version>(`/transformations/${id}/versions/${publishedVersionId}`, { signal }),
    0,
  ).state.value
  if (publishedVersionId === null) return <Pill state="idle">not live</Pill>
  const name = value === undefined ? 'live' : `v${value.number}`
  return publishedVersionId === versionId ? (
    <Pill state="good" isLive>
      {name}
    </Pill>
  ) : (
    <Pill state="note" icon="git-compare">
      {name}, with a newer revision
    </Pill>
  )
}
