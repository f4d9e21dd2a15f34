import type { JsonObject } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import type { SubjectRequestState } from './request-state.ts'
import { openDsrVersion, processorDomain, type SubjectRequest } from './subject-request.ts'

/** Path below which the routes of OpenDSR are. */
export const openDsrPath = '/opendsr/v2'

/** Returns the status of a request, as the status route and call-backs report it. Source: OpenDSR specification, 8.3 and 8.6. */
export function statusAnswer(state: SubjectRequestState): JsonObject {
  const { request, status, isOver, hasResults, expectedAt, deletions } = state
  const { regulationIds, callbacks, callbacksFailed } = request
  return defined({
    ...commonMembers(request),
    expected_completion_time: new Date(expectedAt).toISOString(),
    request_status: status,
    results_url: hasResults ? resultsUrl(request) : undefined,
    results_count: request.report ? recordsOf(request.report) : undefined,
    extensions: {
      [processorDomain(request.address)]: {
        is_over: isOver,
        regulation_ids: regulationIds.length === 0 ? undefined : regulationIds,
        deletions,
        callbacks: { open: callbacks.length, failed: callbacksFailed },
      },
    },
  })
}

/** Returns the members that all answers have. */
export function commonMembers({ workspaceId, id }: Pick<SubjectRequest, 'workspaceId' | 'id'>): JsonObject {
  return { controller_id: workspaceId, subject_request_id: id, api_version: openDsrVersion }
}

function resultsUrl({ address, id }: SubjectRequest): string {
  return `${address}${openDsrPath}/requests/${id}/results`
}

/** Returns how many records a report counts. */
function recordsOf({ held }: JsonObject): number {
  const counts = (Array.isArray(held) ? held : []).map((place) => Number((place as JsonObject)['count']))
  return counts.reduce((sum, count) => sum + count, 0)
}
