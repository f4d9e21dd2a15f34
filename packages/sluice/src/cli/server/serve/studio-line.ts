import type { Sluice } from '../../../sluice.ts'
import type { ServeFlags } from './serve-flags.ts'

/** Returns the address of the page for a browser on this machine. */
export function studioAddress(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/studio/`
}

/** Returns an address that signs in the first browser that opens it, for ten minutes. */
export async function studioLink(sluice: Sluice, host: string, port: number): Promise<string> {
  return `${studioAddress(host, port)}#code=${await sluice.issueStudioCode?.()}`
}

/** Returns where the page is. Its link signs in the first browser that opens it, so it is not written into a log. */
export async function studioLine(
  sluice: Sluice,
  { host, studioLink: isAsked }: Pick<ServeFlags, 'host' | 'studioLink'>,
  port: number,
  isTerminal: boolean,
): Promise<string> {
  if (!isTerminal && !isAsked)
    return `Studio: ${studioAddress(host, port)}, with an access token; --studio-link prints a link for the operator`
  return `Studio, for the next ten minutes and once: ${await studioLink(sluice, host, port)}`
}
