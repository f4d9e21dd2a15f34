import { Command, Option } from 'commander'
import type { LoginFlags, LogoutFlags } from './profiles/log-in.ts'
import { defaultProfile } from './profiles/profiles-file.ts'

/** `sluice login`: stores how to reach a server. */
export function loginCommand(): Command {
  return new Command('login')
    .description('store the URL and an access token of a server, for all commands that talk to one')
    .addOption(new Option('--url <url>', 'URL of the server').env('SLUICE_URL').default('http://127.0.0.1:8080'))
    .addOption(new Option('--token <token>', 'access token (default: asks for it)').env('SLUICE_TOKEN'))
    .option('--profile <name>', 'name of the profile', defaultProfile)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The token is checked first, and read from standard input when that is no terminal. The profiles are stored in the
user's configuration folder (XDG_CONFIG_HOME, else ~/.config), in sluice/profiles.json, which only the user may read.
Flags and the variables SLUICE_URL, SLUICE_TOKEN and SLUICE_PROFILE come before a profile.

Examples:
  sluice login --url https://sluice.example.com
  sluice login --url https://staging.example.com --profile staging < token.txt`,
    )
    .action(async (flags: LoginFlags) => (await import('./profiles/log-in.ts')).logIn(flags))
}

/** `sluice logout`: forgets a profile. */
export function logoutCommand(): Command {
  return new Command('logout')
    .description('forget a profile; the token stays valid until it is revoked')
    .option('--profile <name>', 'name of the profile', defaultProfile)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  sluice logout\n  sluice logout --profile staging')
    .action(async (flags: LogoutFlags) => (await import('./profiles/log-in.ts')).logOut(flags))
}
