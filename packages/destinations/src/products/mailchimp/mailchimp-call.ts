import { convert, encodeSegment, type RequestParts } from '../../kit/index.ts'
import type { MailchimpSettings } from './mailchimp-settings.ts'

/** Returns address and headers of a request about the audience. Source: Mailchimp docs, Marketing API fundamentals. */
export function mailchimpCall(method: string, path: string, settings: MailchimpSettings): RequestParts {
  const { apiKey, audienceId, datacenterId } = settings
  return {
    method,
    endpoint: `https://${datacenterId}.api.mailchimp.com/3.0/lists/${encodeSegment(audienceId)}${path}`,
    headers: { 'Content-Type': 'application/json', Authorization: convert.basicAuth('apiKey', apiKey) },
    audienceId,
  }
}

/** Returns the path of a member, whom Mailchimp identifies by the MD5 of the email in lower case. */
export function memberPath(email: string): string {
  return `/members/${convert.md5(email.toLowerCase())}`
}
