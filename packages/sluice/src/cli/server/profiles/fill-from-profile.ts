import type { Command } from 'commander'
import { CliError } from '../../cli-error.ts'
import { defaultProfile, type Profile, profilesFile, readProfiles } from './profiles-file.ts'

/**
 * Fills in the URL and the token of a command from the user's profile, where neither a flag nor the environment gives
 * them. A token that is given goes nowhere but to the URL that is given with it, or to the default one; the token of a
 * profile goes only to the URL of the profile.
 *
 * @throws CliError when a profile is named that does not exist.
 */
export async function fillFromProfile(command: Command): Promise<void> {
  const { profile: name, token, url } = command.opts<{ profile?: string; token?: string; url: string }>()
  if (token !== undefined && name === undefined) return
  const profile = await chosenProfile(name)
  if (profile === undefined) return
  const isDefault = command.getOptionValueSource('url') === 'default'
  if (isDefault) command.setOptionValue('url', profile.url)
  else if (!isSameServer(url, profile.url)) return
  if (token === undefined) command.setOptionValue('token', profile.token)
}

/** Returns a profile of the user by its name, or the default one, if there is one. @throws CliError when there is none of this name. */
export async function chosenProfile(name: string | undefined): Promise<Profile | undefined> {
  const profiles = await readProfiles()
  const profile = profiles.get(name ?? defaultProfile)
  if (profile !== undefined || name === undefined) return profile
  const known = [...profiles.keys()].join(', ')
  throw new CliError(
    `--profile ${name}: ${profilesFile()} has no such profile; ${known === '' ? 'sluice login makes one' : `it has ${known}`}`,
  )
}

/** Whether two URLs are the same, however they are written. */
export function isSameServer(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href
}
