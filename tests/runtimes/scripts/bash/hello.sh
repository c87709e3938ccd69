echo 'héllo ✓ 日本'
