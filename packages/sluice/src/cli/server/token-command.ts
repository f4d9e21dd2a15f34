import { createHash, randomBytes } from 'node:crypto'
import { accessScopes } from '@sluice/core'
import { Command, Option } from 'commander'

/** `sluice token create`: creates an access token. It is shown once; the workspace file gets only its hash. */
export function tokenCommand(): Command {
  const examples = `
Examples:
  sluice token create --name ci
  sluice token create --name dashboard --scopes read`
  const create = new Command('create')
    .description('create an access token and print it once, with the line for the workspace file')
    .option('--name <name>', 'what the token is for', 'token')
    .addOption(
      new Option('--scopes <scopes...>', 'permissions of the token (default: read, write and operate)').choices(
        accessScopes,
      ),
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(({ name, scopes, json }: { name: string; scopes?: string[]; json?: true }) => {
      const token = randomBytes(32).toString('base64url')
      const hash = `sha256:${createHash('sha256').update(token).digest('hex')}`
      const text = [
        `token (shown only now): ${token}`,
        'for accessTokens in the workspace file:',
        `  - { name: ${JSON.stringify(name)}, token: "${hash}"${scopes ? `, scopes: [${scopes.join(', ')}]` : ''} }`,
      ].join('\n')
      process.stdout.write(`${json ? JSON.stringify({ name, token, hash, scopes }) : text}\n`)
    })
  return new Command('token')
    .description('access tokens of the HTTP areas')
    .addCommand(create)
    .addHelpText('after', examples)
}
