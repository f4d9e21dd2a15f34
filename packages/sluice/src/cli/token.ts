import { createHash, randomBytes } from 'node:crypto'
import { Command } from 'commander'

/** `sluice token create`: makes an access token. It is shown once; the workspace file gets only its hash. */
export function tokenCommand(): Command {
  const create = new Command('create')
    .description('make an access token and print it once, with the line for the workspace file')
    .option('--name <name>', 'what the token is for', 'token')
    .option('--json', 'print one JSON object')
    .action(({ name, json }: { name: string; json?: true }) => {
      const token = randomBytes(32).toString('base64url')
      const hash = `sha256:${createHash('sha256').update(token).digest('hex')}`
      const text = [
        `token (shown only now): ${token}`,
        'for accessTokens in the workspace file:',
        `  - { name: ${JSON.stringify(name)}, token: "${hash}" }`,
      ].join('\n')
      process.stdout.write(`${json ? JSON.stringify({ name, token, hash }) : text}\n`)
    })
  return new Command('token').description('access tokens of the HTTP areas').addCommand(create)
}
