import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import type { Version } from '../transformation.ts'
import { type VersionChange, type VersionStep, versionSteps } from './version-steps.ts'

const versionsMax = 50

/** Reads the last versions and, with the scope `operate`, who saved and published them, newest first. */
export async function readVersionSteps(id: string, signal: AbortSignal): Promise<readonly VersionStep[]> {
  const versionsPath = `/transformations/${id}/versions?orderBy=DESC&count=${versionsMax}`
  const query = new URLSearchParams({ subjectKind: 'transformation', subject: id, limit: '200' })
  const [{ TransformationVersions: versions }, { data: changes }] = await Promise.all([
    request<{ readonly TransformationVersions: readonly Version[] }>(versionsPath, { signal }),
    allows('operate')
      ? request<{ readonly data: readonly VersionChange[] }>(`/v2/changes?${query}`, { signal })
      : Promise.resolve({ data: [] }),
  ])
  return versionSteps(versions, changes)
}
