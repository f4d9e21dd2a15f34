import type { Workspace } from '@sluice/core'
import type { Result, VersionedCode } from '@sluice/transformations'
import type { Call } from '../../gate/access/token-gate.ts'
import { type Answer, problem, scopeMissing } from '../../gate/answer.ts'
import { toAnswer } from './to-answer.ts'
import type { PublishQuery, TransformationChange } from './transformations-schemas.ts'

/** Creates or updates. `publish` may be in the body or in the query, and requires the scope `operate` too. */
export async function saveCode(
  call: Call<typeof PublishQuery, typeof TransformationChange>,
  saveAs: (publish: boolean) => Promise<Result<VersionedCode>>,
  toRecord: (code: VersionedCode, workspace: Workspace) => object,
): Promise<Answer> {
  const { query, body, workspace } = call
  if (query.publish !== undefined && body.publish !== undefined && query.publish !== body.publish)
    return problem(
      'publishContradicts',
      `publish is ${body.publish} in the body and ${query.publish} in the query; give it once`,
    )
  const publish = query.publish ?? body.publish ?? false
  if (publish && !call.allows('operate')) return scopeMissing('operate')
  return toAnswer(await saveAs(publish), (code) => toRecord(code, workspace))
}
