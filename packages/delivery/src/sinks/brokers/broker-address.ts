import type { DeliveryRequest } from '@sluice/destinations'
import type { AddressGuard } from '../../transport/sockets/address-guard.ts'

/** Address of a broker. */
export interface BrokerAddress {
  readonly host: string
  readonly port: number
}

/**
 * Returns the address of a broker in a text such as `broker.test:9092`.
 *
 * @throws an error with the code `addressRefused` for an IP address that is not allowed. Names are checked when they are
 * looked up.
 */
export function brokerAddress(text: string, defaultPort: number, guard: AddressGuard): BrokerAddress {
  const url = new URL(`broker://${text}`)
  guard.check(url)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || defaultPort) }
}

/** Returns host and port of the endpoint of a request, as text. */
export function endpointHost({ endpoint }: DeliveryRequest): string {
  return new URL(endpoint).host
}

/** Returns the certificate of an authority in the options of a request, as an option of TLS. */
export function authorityOf({ params }: DeliveryRequest): { readonly ca?: string } {
  const { caCertificate } = params
  return typeof caCertificate === 'string' && caCertificate !== '' ? { ca: caCertificate } : {}
}
