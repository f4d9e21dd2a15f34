import type { JsonValue } from '@sluice/core'
import { type DeliveryRequest, originOf } from '@sluice/destinations/kit'
import type { ActionPreview, TrialError, TrialResult } from '@sluice/pipeline'

interface Mask {
  request(request: DeliveryRequest): DeliveryRequest
  value(value: JsonValue): JsonValue
}

export function shownResult(result: TrialResult, mask: Mask) {
  const { transformed, requests, replies, previews } = result
  return {
    user_transformed_payload: transformed,
    dest_transformed_payload:
      requests === undefined
        ? undefined
        : isError(requests)
          ? requests
          : requests.map((each) => shownRequest(mask.request(each))),
    ...(requests === undefined || isError(requests) ? {} : noticesOf(requests, result)),
    actions:
      previews === undefined || previews.length === 0
        ? undefined
        : previews.map((preview) => shownPreview(preview, mask)),
    ...(replies === undefined
      ? {}
      : isError(replies)
        ? { destination_response: replies }
        : {
            destination_response: replies.map(({ body }) => mask.value(body)),
            destination_response_status: replies.map(({ status }) => status),
          }),
  }
}

/** Returns a notice for each request to another origin, naming the secrets that were left out. */
function noticesOf(
  requests: readonly DeliveryRequest[],
  { withoutSecrets }: TrialResult,
): { readonly notices?: readonly string[] } {
  const ofActions = withoutSecrets
    ? ['stored secrets were left out: actions get them only with the stored settings; put them in destinationConfig']
    : []
  const ofRequests = requests.flatMap(({ withheld, endpoint }) => {
    if (withheld === undefined) return []
    const names = withheld.length === 0 ? '' : ` (headers: ${withheld.join(', ')})`
    return `stored secrets were left out${names}: they are sent only to the origin of the stored settings, not to ${originOf({ endpoint })}; put them in destinationConfig to send them`
  })
  const notices = [...ofActions, ...ofRequests]
  return notices.length === 0 ? {} : { notices }
}

const isError = (value: readonly unknown[] | TrialError): value is TrialError => 'error' in value

function shownPreview({ action, requests, error }: ActionPreview, mask: Mask) {
  return {
    action,
    assumed: 'each request is answered with status 200 and the body {}',
    requests: requests.map((each) => shownRequest(mask.request(each))),
    error: error === undefined ? undefined : mask.value(error),
  }
}

/** Returns only the members that the API documents. */
function shownRequest({ version, type, method, endpoint, headers, params, body, files }: DeliveryRequest) {
  return { version, type, method, endpoint, headers, params, body, files }
}
