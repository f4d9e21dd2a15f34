import type { DeliveryRequest } from '@sluice/destinations'
import { ClientMissingError } from './client-missing-error.ts'
import { errorCode } from './error-code.ts'
import { heldBack } from './held-back-error.ts'
import { addressRefused } from './sockets/address-guard.ts'
import { hostOf, type NetworkFailure, type UnsendableRequest } from './transport.ts'

/** Error codes of undici and URL for requests that were refused before sending. */
const unsendableCodes = new Set([
  'ERR_INVALID_URL',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
])

/**
 * Converts an exception from sending a request to a failure. Uses the code of the error, not its message, which may
 * quote the request.
 */
export function sendFailure(error: unknown, request: DeliveryRequest): NetworkFailure | UnsendableRequest {
  const code = errorCode(error)
  if (code === addressRefused) {
    const message = `Sluice did not send it: ${hostOf(request)} is not a public address. Allow it with --allow-address, or the option allowAddresses.`
    return { kind: 'unsendable', code, message }
  }
  if (unsendableCodes.has(code)) {
    const message = `The request cannot be sent (${code}); check its address, method and headers.`
    return { kind: 'unsendable', code, message }
  }
  if (code === heldBack) {
    const message = 'The request was held back right before it was sent; it is checked again first.'
    return { kind: 'network', code, message }
  }
  if (error instanceof ClientMissingError) return { kind: 'network', code, message: error.message }
  const message = `${hostOf(request)} could not be reached, or the connection broke (${code}).`
  return { kind: 'network', code, message }
}
