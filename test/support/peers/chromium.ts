// The browser of the tests: Debian's Chromium, without its own windows' work.
import { chromium, type Browser } from 'playwright-core';
import { findPeer } from './peer-program.ts';

/** Undefined where there is none and none can be had: the tests of pages are left out. */
export const chromiumProgram = findPeer({
  name: 'Chromium',
  variable: 'CHROMIUM_BIN',
  programs: ['chromium', 'chromium-browser'],
  aptPackage: 'chromium',
});

/** Playwright's own list: of two switches of one name Chromium takes the last. */
const disabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
/** The address bar of each window has pages of its own, which cost more than those under test: 0.7 s of a processor each. */
const ownPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** @throws Error without Chromium */
export async function launchChromium(): Promise<Browser> {
  if (chromiumProgram === undefined) throw new Error('There is no Chromium.');
  return chromium.launch({
    executablePath: chromiumProgram,
    chromiumSandbox: false,
    args: [`--disable-features=${[...disabledByPlaywright, ...ownPages].join(',')}`],
  });
}
