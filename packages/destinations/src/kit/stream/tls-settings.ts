import { Type } from 'typebox'
import * as field from '../settings/field.ts'

/** Settings of brokers that can be reached over TLS. Events cannot choose them. */
export const tlsSettings = {
  tls: field.flag({ title: 'TLS', description: 'Connects over TLS.', isFixed: true }),
  caCertificate: Type.String({
    title: 'Certificate',
    default: '',
    description: 'Certificate (PEM) of the authority to trust instead of public ones.',
    shownWhen: { tls: true },
    isFixed: true,
  }),
}

interface TlsSettings {
  readonly tls: boolean
  readonly caCertificate: string
}

/** Returns the certificate of the settings as an option of a connection, if it is used. */
export function tlsOptions({ tls, caCertificate }: TlsSettings): { readonly caCertificate?: string } {
  return tls && caCertificate !== '' ? { caCertificate } : {}
}
