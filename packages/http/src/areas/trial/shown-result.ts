import type { JsonValue } from '@sluice/core'
import { type DeliveryRequest, originOf } from '@sluice/destinations'
import type { TrialError, TrialResult } from '@sluice/pipeline'

interface Mask {
  request(request: DeliveryRequest): DeliveryRequest
  value(value: JsonValue): JsonValue
}

export function shownResult({ transformed, requests, replies }: TrialResult, mask: Mask) {
  return {
    ...(transformed === undefined ? {} : { user_transformed_payload: transformed }),
    ...(requests === undefined
      ? {}
      : {
          dest_transformed_payload: isError(requests)
            ? requests
            : requests.map((each) => shownRequest(mask.request(each))),
        }),
    ...(requests === undefined || isError(requests) ? {} : noticesOf(requests)),
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
function noticesOf(requests: readonly DeliveryRequest[]): { readonly notices?: readonly string[] } {
  const notices = requests.flatMap(({ withheld, endpoint }) => {
    if (withheld === undefined) return []
    const names = withheld.length === 0 ? '' : ` (headers: ${withheld.join(', ')})`
    return `stored secrets were left out${names}: they are sent only to the origin of the stored settings, not to ${originOf({ endpoint })}; put them in destinationConfig to send them`
  })
  return notices.length === 0 ? {} : { notices }
}

const isError = (value: readonly unknown[] | TrialError): value is TrialError => 'error' in value

/** Returns only the members that the API documents. */
function shownRequest({ version, type, method, endpoint, headers, params, body, files }: DeliveryRequest) {
  return { version, type, method, endpoint, headers, params, body, files }
}
