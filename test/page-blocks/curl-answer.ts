/** What curl reports about an answer. */
export interface CurlAnswer {
  readonly status: number
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly type: string
}

const mark = 'answered:'

/** Makes curl report the answer behind what it prints on standard error. Other commands stay as they are. */
export function askingCurl(command: string): string {
  const report = `%{stderr}${mark} %{http_code} %{method} %{url_effective} %{content_type}`
  return command.replace(/^curl /, `curl --silent --show-error --write-out '${report}' `)
}

/** Reads that report; undefined when the command was none of curl, or had no answer. */
export function readAnswer(stderr: string): CurlAnswer | undefined {
  const [, status, method = '', url = '', type = ''] = /^answered: (\d+) (\S+) (\S+) ([^\s;]*)/m.exec(stderr) ?? []
  if (status === undefined || status === '000') return undefined
  const { origin, pathname: path } = new URL(url)
  return { status: Number(status), method, origin, path, type }
}
