import { readFile } from 'node:fs/promises'
import type { GeolocationPort } from '@sluice/sandbox'
import { type CityResponse, Reader } from 'mmdb-lib'
import { CliError } from '../cli-error.ts'

/**
 * Opens a database of MaxMind's format (MMDB), such as GeoLite2-City, for `geolocation(ip)` of user code. The whole file is
 * kept in memory; a newer one is read at the next start.
 * @throws CliError when it cannot be read.
 */
export async function openGeolocation(file: string): Promise<GeolocationPort> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CliError(`--geolocation: ${error.message}`)
  })
  const reader = readerOf(file, bytes)
  return async (ip) => placeOf(ip, reader.get(ip))
}

function readerOf(file: string, bytes: Buffer): Reader<CityResponse> {
  try {
    return new Reader<CityResponse>(bytes)
  } catch {
    throw new CliError(`--geolocation: ${file} is no database of the format MMDB`)
  }
}

/** Returns what RudderStack's geolocation returns. Members that are not known are blank. */
function placeOf(ip: string, found: CityResponse | null) {
  const { city, country, subdivisions: [region] = [], location, postal } = found ?? {}
  return {
    ip,
    city: city?.names?.en ?? '',
    country: country?.iso_code ?? '',
    region: region?.names?.en ?? '',
    postal: postal?.code ?? '',
    location:
      location?.latitude === undefined || location.longitude === undefined
        ? ''
        : `${location.latitude.toFixed(6)},${location.longitude.toFixed(6)}`,
    timezone: location?.time_zone ?? '',
  }
}
