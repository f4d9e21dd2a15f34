import type { ServerFlags } from '../ask-server.ts'
import { chosenProfile, isSameServer } from './fill-from-profile.ts'
import { readProfiles } from './profiles-file.ts'

/**
 * Returns the server that a flag names by its URL, or by the name of a profile. The token of a profile goes only to the URL of
 * the profile.
 * @param token sent to a URL; without it, that of the first profile with this URL.
 * @throws CliError when there is no such profile.
 */
export async function namedServer(given: string, token: string | undefined): Promise<ServerFlags> {
  if (!/^https?:/i.test(given)) {
    const { url, token: ofProfile } = (await chosenProfile(given)) ?? { url: given, token }
    return { url, token: ofProfile }
  }
  if (token !== undefined) return { url: given, token }
  const known = [...(await readProfiles()).values()].find(({ url }) => isSameServer(url, given))
  return { url: given, token: known?.token }
}
