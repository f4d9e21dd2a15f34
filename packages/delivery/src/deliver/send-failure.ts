import type { DeliveryRequest } from '@sluice/destinations'
import { addressRefused } from '../transport/address-guard.ts'
import { hostOf, type NetworkFailure, type UnsendableRequest } from '../transport/transport.ts'
import { errorCode } from './error-code.ts'

/** What undici and URL refuse before anything is sent. */
const unsendableCodes = new Set([
  'ERR_INVALID_URL',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
])

/**
 * What an exception says about a request that was to go over the network. Tells by code, not by the text of the error,
 * which may quote the request.
 */
export function sendFailure(error: unknown, request: DeliveryRequest): NetworkFailure | UnsendableRequest {
  const code = errorCode(error)
  if (code === addressRefused) {
    const message = `${hostOf(request)} is not a public address; allow it by choice if you mean it (allowAddresses).`
    return { kind: 'unsendable', code, message }
  }
  if (unsendableCodes.has(code)) {
    const message = `The request cannot be sent as it is (${code}); check its address, method and headers.`
    return { kind: 'unsendable', code, message }
  }
  return { kind: 'network', code, message: `${hostOf(request)} could not be reached or broke off (${code}).` }
}
