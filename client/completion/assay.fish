# SPDX-License-Identifier: Apache-2.0
# Completion of assay(1) for fish: `assay completion fish | source`.  assay itself says what can follow.

function __assay_candidates
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	set -l kept (string match -r -- '^--[^=]*=' $current)
	set -q kept[1]; or set kept ''
	set -l typed (string replace -r -- '^--[^=]*=' '' $current)
	$words[1] completion words -- $words[2..-1] "$current" 2>/dev/null | while read -l line
		set -l text (string sub -s 2 -- $line)
		switch $line
			case 'w*'
				echo $text
			case d
				printf '%s\n' $kept(__fish_complete_directories "$typed")
			case 'f*'
				set -l endings (string split -n , -- $text)
				for file in (__fish_complete_path "$typed")
					set -l name (string split -f 1 \t -- $file)
					if test (count $endings) -eq 0; or string match -q -- '*/' $name
						echo $kept$file
					else if contains -- (string split -r -m 1 -f 2 . -- $name; or echo) $endings
						echo $kept$file
					end
				end
		end
	end
end
complete -c assay -f -a '(__assay_candidates)'
