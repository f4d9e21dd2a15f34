import type { JsonObject } from '@sluice/core'
import * as field from '../settings/declare/field.ts'
import type { SettingsProblem } from '../settings/settings-problem.ts'

/** Settings of brokers that can be reached over TLS. Events cannot choose them. */
export const tlsSettings = {
  tls: field.flag({ title: 'TLS', description: 'Connects over TLS.', isFixed: true }),
  caCertificate: field.text({
    title: 'Certificate',
    default: '',
    description: 'Certificate (PEM) of the authority to trust instead of public ones.',
    shownWhen: { tls: true },
    isFixed: true,
  }),
}

/** Returns the problem of a certificate that is none: a connection would fail with a text that does not name it. */
export function certificateProblems({ caCertificate }: JsonObject): readonly SettingsProblem[] {
  const isOne = (text: string): boolean =>
    /^\s*-----BEGIN CERTIFICATE-----\s[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/.test(text)
  if (typeof caCertificate !== 'string' || caCertificate === '' || isOne(caCertificate)) return []
  const allowed = 'a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----'
  return [{ path: 'caCertificate', value: caCertificate.slice(0, 40), allowed }]
}

/** Returns the problems of `tlsSettings`: a certificate counts only with TLS. */
export function tlsProblems(settings: JsonObject): readonly SettingsProblem[] {
  return settings['tls'] === true ? certificateProblems(settings) : []
}

interface TlsSettings {
  readonly tls: boolean
  readonly caCertificate: string
}

/** Returns the certificate of the settings as an option of a connection, if it is used. */
export function tlsOptions({ tls, caCertificate }: TlsSettings): { readonly caCertificate?: string } {
  return tls && caCertificate !== '' ? { caCertificate } : {}
}
