const spelled: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'API',
      'CTA',
      'DMA',
      'DNT',
      'EU',
      'GDPR',
      'ID',
      'IP',
      'JSON',
      'LDU',
      'OAuth',
      'PII',
      'S3',
      'SDK',
      'SDKs',
      'SSL',
    ].map((word) => [word.toLowerCase(), word]),
  ),
  ...{ tls: 'TLS', url: 'URL', urls: 'URLs', utm: 'UTM', xml: 'XML', ids: 'IDs', ua: 'user agent', pwd: 'password' },
}

/**
 * Returns a label for a setting that has none, made from its name: `webhookUrl` becomes "Webhook URL".
 */
export function titleOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => spelled[word.toLowerCase()] ?? word.toLowerCase())
  const [first = '', ...others] = words
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' ')
}
