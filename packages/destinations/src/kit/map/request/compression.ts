import * as field from '../../settings/declare/field.ts'
import type { DeliveryRequest } from './delivery-request.ts'

/** Setting of destinations that accept compressed bodies. See `compressed`. */
export const compressionSetting = {
  compressBodies: field.flag({
    title: 'Compress bodies',
    description: 'Sends bodies of more than 1 KiB as gzip, which saves traffic and costs CPU time.',
    group: 'Network',
    isUnlisted: true,
  }),
}

/** Returns the request with a compressed body, if the settings say so. */
export function compressed(
  request: DeliveryRequest,
  { compressBodies }: { readonly compressBodies: boolean },
): DeliveryRequest {
  return compressBodies ? { ...request, compression: 'gzip' } : request
}
