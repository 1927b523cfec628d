// Headers of every page: the strict content security policy and its companions. ui-7.1.

interface PageSources {
  /** Sources of scripts, as the policy writes them. */
  readonly scripts: string;
  /** Sources of styles, as the policy writes them. */
  readonly styles: string;
}

/** Browser features that no page uses. */
const unusedFeatures = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];

const permissionsPolicy = [...unusedFeatures.map((feature) => `${feature}=()`), 'clipboard-write=(self)'].join(', ');

/** Caches must distinguish callers and representations of one address. */
export const pageVary = 'Accept, Authorization, Cookie';

/** The headers of a page file, whose scripts and styles are files of this origin. */
export const pageFileHeaders = pageHeaders({ scripts: `'self'`, styles: `'self'` });

/**
 * The headers of a page. A page without files of its own names its inline script and style by their hashes. No policy allows
 * inline code, `eval`, HTML from strings, other origins, frames or forms.
 */
export function pageHeaders({ scripts, styles }: PageSources): Readonly<Record<string, string>> {
  const policy = [
    `default-src 'none'`,
    `script-src ${scripts}`,
    `style-src ${styles}`,
    `font-src 'self'`,
    `img-src 'self' blob:`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `worker-src 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'permissions-policy': permissionsPolicy,
    vary: pageVary,
  };
}
